import com.google.gson.JsonParser;
import io.swagger.client.ApiClient;
import io.swagger.client.ApiException;
import io.swagger.client.api.PlantsApi;
import io.swagger.client.model.NewPlant;
import java.util.List;

class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
    client.addDefaultHeader("Authorization", "Bearer " + System.getenv("PLANT_STORE_TOKEN"));
    PlantsApi plants = new PlantsApi(client);
    for (NewPlant plant : List.of(
        new NewPlant().id(9007199254740993L).name("Fern"),
        new NewPlant().id(9223372036854775807L).name("Fern"),
        new NewPlant().id(9223372036854775807L).name("Moss"))) {
      try {
        // getName() is null: a model with additional properties is a HashMap, and has its values there.
        System.out.println(plants.createPlant(plant).get("name"));
      } catch (ApiException refused) {
        System.out.println(new JsonParser().parse(refused.getResponseBody()).getAsJsonObject().get("error"));
      }
    }
  }
}
