import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PlantsApi;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.NewPlant;

class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
    client.setBearerToken(System.getenv("PLANT_STORE_TOKEN"));
    PlantsApi plants = new PlantsApi(client);
    for (String name : List.of("Fern", "Moss")) {
      try {
        System.out.println(plants.createPlant(new NewPlant().id(9223372036854775807L).name(name)).getName());
      } catch (ApiException refused) {
        System.out.println(Error.fromJson(refused.getResponseBody()).getError());
      }
    }
  }
}
