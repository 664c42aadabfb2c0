// A program that does not set Name sends "", which is a valid name. Generate with
// --model-name-mappings Plant=StoredPlant: the constructor of Plant has the name of the model NewPlant.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example/plants"
)

func main() {
	config := plants.NewConfiguration()
	config.Servers = plants.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := plants.NewAPIClient(config)
	ctx := context.WithValue(context.Background(), plants.ContextAccessToken, os.Getenv("PLANT_STORE_TOKEN"))
	for _, name := range []string{"Fern", "Moss"} {
		body := plants.NewPlant{Id: 9223372036854775807, Name: name}
		plant, _, err := client.PlantsAPI.CreatePlant(ctx).NewPlant(body).Execute()
		var refused *plants.GenericOpenAPIError
		if errors.As(err, &refused) {
			fmt.Println(refused.Model().(plants.Error).Error)
		} else if err != nil {
			panic(err)
		} else {
			fmt.Println(plant.Name)
		}
	}
}
