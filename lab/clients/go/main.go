package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example/plants"
)

func main() {
	configuration := plants.NewConfiguration()
	configuration.Servers = plants.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := plants.NewAPIClient(configuration)
	authorized := context.WithValue(context.Background(), plants.ContextAccessToken, os.Getenv("PLANT_STORE_TOKEN"))
	for _, plant := range []plants.PlantInput{
		{Id: 9007199254740993, Name: "Fern"},
		{Id: 9223372036854775807, Name: "Fern"},
		{Id: 9223372036854775807, Name: "Moss"},
	} {
		stored, _, err := client.PlantsAPI.CreatePlant(authorized).PlantInput(plant).Execute()
		var failure *plants.GenericOpenAPIError
		if err == nil {
			fmt.Println(stored.Name)
		} else if errors.As(err, &failure) {
			// Anything else than an Error has no number: 0.
			refusal, _ := failure.Model().(plants.Error)
			fmt.Println(refusal.Error)
		} else {
			panic(err)
		}
	}
}
